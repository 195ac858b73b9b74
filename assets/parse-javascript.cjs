// Runs in a thread: answers each text with its syntax tree as JSON, or null.
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { parse } = require(workerData.parser);
const plain = (root) => {
  const left = [[root, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, depth] = next;
    if (depth > workerData.depth) return null;
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (key === 'loc' || key === 'extra' || key === 'errors' || key.endsWith('omments')) delete node[key];
      else if (typeof value === 'object' && value !== null) left.push([value, Array.isArray(value) ? depth : depth + 1]);
      else if (typeof value === 'bigint') node[key] = String(value);
    }
  }
  return root;
};
const read = ({ text, options }) => {
  try {
    const { program } = parse(text, options);
    return JSON.stringify(plain(program), (_key, value) => (value instanceof RegExp ? undefined : value));
  } catch {
    return null;
  }
};
parentPort.on('message', (question) => parentPort.postMessage(read(question)));
