tests_of_this_file = load_tests


def load_tests(loader, tests, pattern):
    named = [loader.loadTestsFromTestCase(one) for one in (given_kinds,)]
    return loader.suiteClass([tests_of_this_file(loader, tests, pattern), *named])
