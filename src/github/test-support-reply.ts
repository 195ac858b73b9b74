/** For tests only: what the server in `test-support.ts` answers. */
export interface Reply {
  status: number;
  data: unknown;
}

export function page<Row>(rows: readonly Row[], url: URL): Row[] {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const at = Number(url.searchParams.get('page') ?? 1) - 1;
  return rows.slice(at * size, (at + 1) * size);
}
