"""Accounts: how django-allauth is fitted to our players, their names and their mails."""
