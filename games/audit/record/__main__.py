"""`python -m games.audit.record FILE`"""

import sys

from games.audit.record.program import main

if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, KeyboardInterrupt):  # whoever read it, or asked for it, has had enough
        sys.exit(2)
