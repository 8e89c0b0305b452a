"""`python -m games.audit.verify FILE…`"""

import sys

from games.audit.verify.program import main

if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):  # whoever read it, or asked for it, has had enough
        sys.exit(2)
