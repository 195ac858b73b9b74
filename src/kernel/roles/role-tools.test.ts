import { expect, test } from 'vitest';
import { ToolsSection } from '../../config/schema-session.ts';
import { roleTools } from './call-role.ts';

const given = ToolsSection.parse({});

test('a role that names no tools gets what the settings give', () => {
  expect(roleTools(given, null)).toMatchObject({ filesystem: { enabled: true }, shell: { enabled: true }, mcp: true });
});

test('a role that names tools gets no others', () => {
  expect(roleTools(given, ['files'])).toMatchObject({ filesystem: { enabled: true }, shell: { enabled: false }, mcp: false });
  expect(roleTools(given, [])).toMatchObject({ filesystem: { enabled: false }, shell: { enabled: false }, mcp: false });
});

test('a role cannot have what the settings deny', () => {
  const closed = ToolsSection.parse({ shell: { enabled: false }, filesystem: { enabled: false } });
  expect(roleTools(closed, ['files', 'shell'])).toMatchObject({ filesystem: { enabled: false }, shell: { enabled: false } });
});

test('only the folder of outputs is opened', () => {
  const rules = ['.harness/', './.harness', '.harness/**', '.harness/output/', '.git/', '../', '.harness/secrets', '**/*.pem', 'harness'];
  const { filesystem } = roleTools(ToolsSection.parse({ filesystem: { denied_paths: rules } }), null);
  expect(filesystem.denied_paths).toEqual(['.git/', '../', '.harness/secrets', '**/*.pem', 'harness']);
});
