export function MoneyPage(_props: { project: string }) {
  return <h1>Money</h1>;
}
