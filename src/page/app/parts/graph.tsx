/** A dependency graph, drawn from left to right. It says nothing that the list does not: readers of screens get the list. */
import dagre from '@dagrejs/dagre';
import type { Tone } from './bits.tsx';

export interface GraphNode {
  id: string;
  name: string;
  title: string;
  tone: Tone;
  link: string | null;
}

interface GraphProps {
  label: string;
  nodes: readonly GraphNode[];
  edges: readonly (readonly [string, string])[];
}

const [WIDTH, HEIGHT] = [176, 46];
const LONGEST = 23;

export function Graph({ label, nodes, edges }: GraphProps) {
  const ids = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(([from, to]) => ids.has(from) && ids.has(to));
  const touched = new Set(drawn.flat());
  const placed = layOut(
    nodes.filter(({ id }) => touched.has(id)),
    drawn,
  );
  return (
    <div class="graph" role="img" aria-label={`${label}: ${drawn.length} dependencies, all of them in the list above`} tabIndex={0}>
      <svg width={placed.width} height={placed.height} viewBox={`0 0 ${placed.width} ${placed.height}`} aria-hidden="true">
        {placed.paths.map((path, at) => (
          <path key={at} d={path} class="edge" />
        ))}
        {placed.nodes.map(({ node, x, y }) => {
          const box = (
            <g transform={`translate(${x - WIDTH / 2} ${y - HEIGHT / 2})`} class={`node ${node.tone}`}>
              <title>{`${node.name} ${node.title}`}</title>
              <rect width={WIDTH} height={HEIGHT} rx="7" />
              <rect class="bar" width="4" height={HEIGHT - 14} x="7" y="7" rx="2" />
              <text x="20" y="19" class="node-name">
                {node.name}
              </text>
              <text x="20" y="35">
                {node.title.length > LONGEST ? `${node.title.slice(0, LONGEST - 1)}…` : node.title}
              </text>
            </g>
          );
          return node.link === null ? (
            <g key={node.id}>{box}</g>
          ) : (
            <a key={node.id} href={node.link} tabIndex={-1}>
              {box}
            </a>
          );
        })}
      </svg>
    </div>
  );
}

interface Placed {
  width: number;
  height: number;
  nodes: { node: GraphNode; x: number; y: number }[];
  paths: string[];
}

function layOut(nodes: readonly GraphNode[], edges: readonly (readonly [string, string])[]): Placed {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 44, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const [from, to] of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.id);
      return { node, x, y };
    }),
    paths: edges.map(([from, to]) => pathThrough(graph.edge(from, to).points)),
  };
}

/** Smooth between the points that the layout gives. */
function pathThrough(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${first.x} ${first.y}`;
  for (let at = 0; at + 1 < rest.length; at += 2) path += `Q${rest[at]!.x} ${rest[at]!.y} ${rest[at + 1]!.x} ${rest[at + 1]!.y}`;
  const last = rest.at(-1);
  return rest.length % 2 === 1 && last !== undefined ? `${path}L${last.x} ${last.y}` : path;
}
