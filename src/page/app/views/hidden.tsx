export function HiddenPage(_props: { project: string }) {
  return <h1>Hidden</h1>;
}
