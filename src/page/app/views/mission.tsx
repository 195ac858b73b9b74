export function MissionPage(_props: { project: string }) {
  return <h1>Mission</h1>;
}
