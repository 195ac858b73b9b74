// Rows of a benchmark: { name, figure, target, met } with `met` true, false, or null where there is no target.

const TITLES = { name: 'what', figure: 'measured', target: 'target', met: 'met' };

export function formatTable(rows) {
  const cells = [TITLES, ...rows.map((row) => ({ ...row, met: row.met === null ? '' : row.met ? 'yes' : 'NO' }))];
  const columns = Object.keys(TITLES);
  const width = (column) => Math.max(...cells.map((row) => row[column].length));
  const line = (row) =>
    columns
      .map((column) => row[column].padEnd(width(column)))
      .join('  ')
      .trimEnd();
  const rule = columns.map((column) => '-'.repeat(width(column))).join('  ');
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function milliseconds(value) {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}
