/**
 * An agent of another provider, as text: a small loop on the Responses API with one shell tool, as a program of the user's own.
 * It says what its provider says, reports what it used, and counts each session at the same price.
 */
export const SECOND_COST = 0.11;

export function responsesAgent(url: string): string {
  return `import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const input = [{ type: 'message', role: 'user', content: readFileSync(0, 'utf8') }];
const tools = [{ type: 'function', name: 'shell', parameters: { type: 'object', properties: { command: { type: 'string' } } } }];
for (;;) {
  const response = await fetch('${url}/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-the-second' },
    body: JSON.stringify({ model: 'second', input, tools }),
  });
  if (!response.ok) { console.error('API Error: ' + response.status + ' ' + (await response.text())); process.exit(1); }
  const { output } = await response.json();
  for (const item of output) {
    input.push(item);
    if (item.type === 'message') console.log(item.content.map(({ text }) => text).join(''));
    if (item.type !== 'function_call') continue;
    const ran = spawnSync('sh', ['-c', JSON.parse(item.arguments).command], { encoding: 'utf8' });
    console.log(ran.stdout + ran.stderr);
    input.push({ type: 'function_call_output', call_id: item.call_id, output: ran.stdout + ran.stderr });
  }
  if (!output.some(({ type }) => type === 'function_call')) break;
}
console.log(JSON.stringify({ type: 'usage', input_tokens: 1000, output_tokens: 100, cost_usd: ${SECOND_COST} }));
`;
}
