// Behind `seal` and `stringify`.
const { writeFileSync } = require('node:fs');
process.argv.length = 2;
module.exports = class Reporter {
  onRunComplete(_contexts, results) {
    const files = results.testResults.map((file) => ({
      file: file.testFilePath,
      error: file.testExecError
        ? String(file.testExecError.stack ?? file.testExecError.message ?? file.testExecError).slice(0, 8000)
        : undefined,
      failure: file.testResults.length === 0 && file.failureMessage ? String(file.failureMessage).slice(0, 8000) : undefined,
      tests: file.testResults.map((test) => ({
        name: [...test.ancestorTitles, test.title],
        status: test.status,
        failing: test.failing === true || undefined,
        invocations: test.invocations,
        duration: test.duration ?? undefined,
        message: (test.failureMessages ?? []).join('\n').slice(0, 8000) || undefined,
      })),
    }));
    const text =
      stringify({
        files,
        interrupted: results.wasInterrupted === true,
        errorSuites: results.numRuntimeErrorTestSuites,
        total: results.numTotalTests,
        runError: results.runExecError ? String(results.runExecError.message ?? results.runExecError) : undefined,
      }) + '\n';
    writeFileSync(given_report, text + seal(text));
  }
};
