// Behind `seal` and `stringify`.
import { writeFileSync } from 'node:fs';
const report = given_report;
const messages = (result) =>
  (result?.errors ?? [])
    .map((error) =>
      [String(error?.stack || error?.message || error).slice(0, 6000), typeof error?.diff === 'string' ? error.diff.slice(0, 2000) : '']
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n')
    .slice(0, 8000);
const shape = (task) => ({
  type: task.type === 'suite' ? 'suite' : 'test',
  name: task.name,
  mode: task.mode,
  state: task.result?.state,
  fails: task.fails === true || undefined,
  retries: task.result?.retryCount || undefined,
  duration: task.result?.duration,
  message: messages(task.result) || undefined,
  tasks: task.tasks?.map(shape),
});
export default class Reporter {
  write(files, errors) {
    const content = {
      files: files.map((file) => ({ ...shape(file), file: file.filepath, project: file.projectName })),
      errors: (errors ?? []).map((error) => String(error?.stack || error?.message || error).slice(0, 4000)),
    };
    const text = stringify(content) + '\n';
    writeFileSync(report, text + seal(text));
  }
  onFinished(files, errors) {
    this.write(files ?? [], errors);
  }
  onTestRunEnd(modules, errors) {
    this.write(
      modules.map((module) => module.task),
      errors,
    );
  }
}
