/** A machine as a diagram for the docs, printed from what it really does. Pure. */

export interface Edge {
  from: string;
  to: string;
  /** The event, and under which condition. */
  label: string;
}

/** One arrow for each pair of phases, with all events that lead along it. */
export function stateDiagram(first: string, edges: readonly Edge[], last: readonly string[]): string[] {
  const arrows = new Map<string, string[]>();
  for (const { from, to, label } of edges) {
    const key = `${from} --> ${to}`;
    arrows.set(key, [...(arrows.get(key) ?? []), label.replaceAll(':', ' -')]);
  }
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${first}`,
    ...[...arrows].map(([arrow, labels]) => `  ${arrow}: ${[...new Set(labels)].join(', ')}`),
    ...last.map((phase) => `  ${phase} --> [*]`),
    '```',
  ];
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
