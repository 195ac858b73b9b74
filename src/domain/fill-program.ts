/** Programs under `assets/` with their constants filled in: a name like `given_room`, also inside a string, becomes the value called `room`. */

const GIVEN = /\bgiven_(\w+)\b/g;

/** Values are source text of the program's language. Every name needs a value and every value a name. */
export function fill(program: string, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const filled = program.replace(GIVEN, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the program has given_${name}, which has no value`);
    used.add(name);
    return value;
  });
  const idle = Object.keys(values).filter((name) => !used.has(name));
  if (idle.length > 0) throw new Error(`the program has no given_${idle.join(', given_')}`);
  return filled;
}

/** A module as a CommonJS script: its imports at the top level and its list of exports are the only such statements in it. */
export function asScript(program: string): string {
  return program
    .replace(
      /^import (\w+|\{[^}]*\}) from ('[^']*');$/gm,
      (_, names: string, from: string) => `const ${names.replaceAll(' as ', ': ')} = require(${from});`,
    )
    .replace(/^export (\{[^}]*\});$/m, 'module.exports = $1;');
}
