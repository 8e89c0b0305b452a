"""The pages that links in mails lead to, for servers without pages of their own for it."""
