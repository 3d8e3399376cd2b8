"""`python -m coursekit`: the command, also where its folder is not on PATH."""

from coursekit.cli import main

if __name__ == "__main__":
    main()
