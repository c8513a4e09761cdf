"""Runs otter-grader in the container of a submission."""

import sys

from otter.run.run_autograder import main

if __name__ == "__main__":
    main(sys.argv[1])
