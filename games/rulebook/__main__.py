"""``python -m games.rulebook [FOLDER]`` writes the rulebook's pages into FOLDER (``docs``)."""

import sys
from pathlib import Path

from games.rulebook.markdown import markdown
from games.rulebook.reading import LANGUAGES, rulebook

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {language: "rules.md" if language == "en" else f"rules.{language}.md" for language in LANGUAGES}
"""The name of each language's page."""


def main(arguments: list[str]) -> int:
    """Write every page; exit status 2 and one line if the folder is not there."""
    folder = Path(arguments[0]) if arguments else DOCS
    if not folder.is_dir():
        print(f"There is no folder {folder}.", file=sys.stderr)  # noqa: T201  # the command's answer
        return 2
    for language, name in PAGES.items():
        (folder / name).write_text(markdown(rulebook(language)), encoding="utf-8")
        print(f"wrote {folder / name}")  # noqa: T201  # the command's answer
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
