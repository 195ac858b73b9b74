# In a test file, before its tests: what became of the tests of another file.
import json
import os
import sys
told = []
wanted = json.loads(given_wanted)


def all_told():
    if not told:
        sys.path.insert(0, os.getcwd())
        from given_kit import load, run_all
        told.append(run_all(load('given_part.txt', 'given_part', json.loads(given_bound))))
    return told[0]
