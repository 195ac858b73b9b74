/** The data inside a report file. They are read, never run: whoever made the file may be a stranger. Pure. */
import { reportScriptId } from './report-script.ts';
import type { ReportData } from './views.ts';

const OPEN = `<script type="application/json" id="${reportScriptId}">`;
const CLOSE = '</script>';

/** As text that no parser of HTML takes for anything else. */
export function reportScript(data: ReportData): string {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${OPEN}${json}${CLOSE}`;
}

export function reportIn(html: string): ReportData | null {
  const start = html.indexOf(OPEN);
  const end = html.indexOf(CLOSE, start);
  if (start < 0 || end < 0) return null;
  try {
    const data = JSON.parse(html.slice(start + OPEN.length, end)) as Partial<ReportData> | null;
    return data?.schema === 'harness-report.v1' ? (data as ReportData) : null;
  } catch {
    return null;
  }
}
