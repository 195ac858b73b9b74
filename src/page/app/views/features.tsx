export function FeaturesPage(_props: { project: string }) {
  return <h1>Features</h1>;
}
