/** Two plots, as few lines of SVG: a sum over time, and bars side by side. Both say their figures in words as well. */
import { money } from './bits.tsx';

export interface Point {
  at: number;
  value: number;
}

const [WIDE, HIGH, LEFT, BOTTOM, TOP] = [640, 190, 52, 24, 12];
const MOST_POINTS = 600;

/** Steps up with each session; `limit` is a line across. */
export function SumPlot({ label, points, limit }: { label: string; points: readonly Point[]; limit: number | null }) {
  if (points.length < 2) return null;
  const every = Math.ceil(points.length / MOST_POINTS);
  const shown = points.filter((_point, at) => at % every === 0 || at === points.length - 1);
  const [first, last] = [shown[0]!, shown.at(-1)!];
  const near = limit !== null && last.value > limit / 3;
  const top = niceTop(Math.max(last.value, near ? limit : 0));
  const x = (at: number): number => LEFT + ((at - first.at) / Math.max(1, last.at - first.at)) * (WIDE - LEFT - 8);
  const y = (value: number): number => HIGH - BOTTOM - (value / top) * (HIGH - BOTTOM - TOP);
  const line = shown
    .map((point, at) => (at === 0 ? `M${x(point.at)} ${y(point.value)}` : `H${x(point.at).toFixed(1)}V${y(point.value).toFixed(1)}`))
    .join('');
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`${label}: ${money(last.value)} after ${points.length} sessions`}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDE - 8} y1={y(value)} y2={y(value)} class="grid" />
            <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {money(value)}
            </text>
          </g>
        ))}
        {limit !== null && near && (
          <g class="limit">
            <line x1={LEFT} x2={WIDE - 8} y1={y(limit)} y2={y(limit)} />
            <text x={WIDE - 10} y={y(limit) - 5} text-anchor="end">
              budget {money(limit)}
            </text>
          </g>
        )}
        <path d={`${line}V${y(0)}H${x(first.at)}Z`} class="area" />
        <path d={line} class="line" />
        <text x={LEFT} y={HIGH - 6}>
          {dayOf(first.at, last.at)}
        </text>
        <text x={WIDE - 8} y={HIGH - 6} text-anchor="end">
          {dayOf(last.at, first.at)}
        </text>
      </svg>
    </figure>
  );
}

function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((one) => one >= value * 1.02) ?? value;
}

/** The time alone where both are on one day. */
function dayOf(at: number, other: number): string {
  const [date, same] = [new Date(at), new Date(other)];
  const time = date.toTimeString().slice(0, 5);
  return date.toDateString() === same.toDateString()
    ? time
    : `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}

export interface BarRow {
  name: string;
  value: number;
  text: string;
  link?: string;
}

export function Bars({ rows, most = 12 }: { rows: readonly BarRow[]; most?: number }) {
  const sorted = rows.toSorted((one, other) => other.value - one.value);
  const top = Math.max(...sorted.map(({ value }) => value), 0);
  const rest = sorted.length - most;
  return (
    <>
      <ul class="bars">
        {sorted.slice(0, most).map((row) => (
          <li key={row.name}>
            <span class="bar-name" dir="auto">
              {row.link === undefined ? row.name : <a href={row.link}>{row.name}</a>}
            </span>
            <span class="bar-track" aria-hidden="true">
              <span style={{ width: `${top === 0 ? 0 : Math.max(0.5, (row.value / top) * 100)}%` }} />
            </span>
            <span class="bar-text">{row.text}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="dim">and {rest} more</p>}
    </>
  );
}
