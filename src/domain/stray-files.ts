/**
 * Files that look left behind: new, in the root or in a folder that was not there, and of no use to a tool by their name.
 *
 * 1. Whether something names such a file decides the rest; that is for the caller to find out (`wordsFor`).
 * 2. Only code and pages count as unnamed: data may be found by a name that is put together as the program runs.
 * 3. `scratch` files bear a name that says so: logs and copies wherever they lie, others in the root or in a new folder of that name.
 */
import { firstItem, lastItem } from './items.ts';

export type Suspicion = 'scratch' | 'unnamed';

export function suspicionOf(path: string, before: ReadonlySet<string>): Suspicion | null {
  const parts = path.split('/');
  const name = lastItem(parts);
  if (before.has(path) || parts.some((part) => part.startsWith('.'))) return null;
  if (LEAVINGS.test(name)) return 'scratch';
  if (parts.length === 1 ? SCRATCH.test(name) : SCRATCH_FOLDER.test(firstItem(parts)) && isNewFolder(firstItem(parts), before))
    return 'scratch';
  if (KNOWN_TO_TOOLS.test(name) || !WRITTEN.test(name)) return null;
  if (parts.length === 1) return hasSiblings(path, before) ? null : 'unnamed';
  return isNewFolder(firstItem(parts), before) && !USUAL_FOLDER.test(firstItem(parts)) ? 'unnamed' : null;
}

/** What would stand in another file that uses this one: modules are imported without their ending. Null: too short to be looked for. */
export function wordsFor(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const words = SOURCES.test(ending) ? name.slice(0, -ending.length) : name;
  return words.length < 2 ? null : words;
}

const LEAVINGS = /\.(?:log|tmp|temp|bak|orig|rej|swp|pid|prof|heapsnapshot|cpuprofile)$|~$/i;
const SCRATCH = /^(?:tmp|temp|scratch|debug|junk|asdf|nohup)(?:[-_.]?\d+)?\.\w+$|^(?:tmp|temp|scratch|debug)[-_]/i;
const SCRATCH_FOLDER = /^(?:tmp|temp|scratch|debug)$/i;

/** Names that tools, hosts and readers look for, whether or not a file of the project names them. */
const KNOWN_TO_TOOLS =
  /^(?:readme|licen[cs]e|copying|notice|authors|contributors|contributing|changelog|changes|history|security|support|code_of_conduct|agents|claude|spec|todo|architecture|makefile|dockerfile|containerfile|procfile|rakefile|gemfile|justfile|vagrantfile|jenkinsfile|cmakelists|codeowners|version|docker-compose|compose|package|lerna|turbo|nx|deno|bunfig|vercel|netlify|fly|render|app|index|main|server|cli|manage|setup|wsgi|asgi|mod|lib|__init__|__main__|favicon|robots|sitemap|manifest|openapi|swagger|schema|go|cargo|pom|build|gradlew?|mvnw|init)(?:\.[\w.]+)?$|requirements[\w.-]*\.txt$|\.(?:config|rc)\.\w+$|\.(?:toml|cfg|ini|lock|ya?ml|gradle|nix|tf|csproj|sln|env)$|^(?:ts|js)config[\w.-]*\.json$|\.test\.|\.spec\.|^test_|_test\./i;

const USUAL_FOLDER =
  /^(?:src|source|sources|lib|libs|app|apps|bin|cmd|internal|pkg|packages|crates|modules|components|pages|server|client|api|web|core|include|tests?|specs?|e2e|fixtures?|examples?|docs?|scripts?|tools?|public|static|assets|templates?|views|styles|locales?|i18n|migrations?|database|db|config|data|types|benchmarks?|www)$/i;

/** The project keeps files of this kind in its root. */
function hasSiblings(path: string, before: ReadonlySet<string>): boolean {
  const ending = /\.[^.]+$/.exec(path)?.[0];
  return ending !== undefined && SOURCES.test(ending) && [...before].some((one) => !one.includes('/') && one.endsWith(ending));
}

/** Code and pages. */
const WRITTEN = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|c|cc|cpp|cs|swift|sh|lua|pl|md|markdown|rst)$/i;

const SOURCES = /^\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|c|cc|cpp|h|hpp|cs|swift|sh|lua|pl|html?|css|vue|svelte)$/;

function isNewFolder(folder: string, before: ReadonlySet<string>): boolean {
  return ![...before].some((path) => path.startsWith(`${folder}/`));
}
