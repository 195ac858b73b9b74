// What vitest's JSON report says: how many tests passed, failed and were skipped, which failed, and which passed only at a second try.

/** A file that could not even be loaded has no tests to count: it counts as one that failed. */
export function countTests(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded, skipped: report.numPendingTests + report.numTodoTests };
}

/** A test that passed and still has failures was tried again. */
export function retriedTests(report) {
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
      .map((test) => ({ file: file.name, test: test.fullName, failure: firstLine(test.failureMessages[0]) })),
  );
}

/** Named once more at the end: a long log is read from there. A file that could not be loaded is named with its own message. */
export function failedTests(report) {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0)
      return file.status === 'failed' ? [{ file: file.name, test: 'the file itself', failure: firstLine(file.message) }] : [];
    return failed.map((test) => ({ file: file.name, test: test.fullName, failure: firstLine(test.failureMessages[0]) }));
  });
}

/** What the list leaves to the long run under a name that no test has: the test was given another name and runs every time again. */
export function unknownNames(report, left) {
  const names = new Map(report.testResults.map((file) => [file.name, new Set(file.assertionResults.map((test) => test.fullName))]));
  return Object.entries(left).flatMap(([path, tests]) => {
    const [, found] = [...names].find(([file]) => file.endsWith(`/${path}`)) ?? [];
    return tests.filter((test) => found !== undefined && !found.has(test)).map((test) => ({ file: path, test }));
  });
}

function firstLine(text) {
  return (text ?? '').split('\n')[0];
}
