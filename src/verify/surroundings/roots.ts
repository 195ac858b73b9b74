/**
 * Roots through which code can observe more than its inputs, for each language.
 *
 * 1. The first rule that fits decides. A member that no rule of its root names is `room`: what is not known to be harmless is shown to a person.
 * 2. A path is names joined by dots: `()` for a call, `*` for a member that is chosen as the code runs, `~` for a value that was derived.
 */
import type { Language } from '../source/source.ts';

/**
 * `environment`, `arguments`: can be varied, so that runs decide. `terminal`: is varied by the run without marks.
 * `place`, `machine`: ordinary to hand on, shown to a person if the value decides something. `room`: always shown.
 */
export type Kind = 'ordinary' | 'environment' | 'arguments' | 'terminal' | 'place' | 'machine' | 'main' | 'room';

type Rule = readonly [RegExp, Kind];

/** What is there depends on where a program is started. */
export const WORKING_DIRECTORY = 'the working directory';
const LISTED: Rule = [/^the working directory\b/, 'place'];

/** Functions that list a folder. */
export const LISTING = /^fs\.(?:promises\.)?(?:readdir|opendir|glob)(?:Sync)?$|^os\.(?:listdir|scandir|f?walk)$|^glob\.i?glob$/;

const STREAM = String.raw`^process\.std(?:in|out|err)`;

const JAVASCRIPT: readonly Rule[] = [
  LISTED,
  [/^(?:process|Bun|Deno|import\.meta)\.env\b/, 'environment'],
  [/^(?:process|Bun)\.argv(?:\.|$)|^Deno\.args\b|^process\.argv0$/, 'arguments'],
  [new RegExp(String.raw`${STREAM}\.(?:isTTY|columns|rows|getColorDepth|hasColors|getWindowSize)\b|^tty\.isatty\b`), 'terminal'],
  [new RegExp(String.raw`${STREAM}\.(?:_|constructor|\*)`), 'room'],
  [new RegExp(STREAM), 'ordinary'],
  [
    /^process\.(?:cwd|execPath)\b|^os\.(?:homedir|tmpdir)\b|^(?:__filename|__dirname)\b|^import\.meta\.(?:url|filename|dirname)\b|^module\.filename\b/,
    'place',
  ],
  [/^process\.versions?\b|^os\.(?:release|version)\b/, 'machine'],
  [
    /^process\.(?:uptime|ppid|send|connected|channel|disconnect|memoryUsage|cpuUsage|get(?:e?[ug]id|groups)|umask|availableMemory|constrainedMemory)\b/,
    'machine',
  ],
  [
    /^process\.(?:platform|arch|pid|hrtime|exit|exitCode|abort|kill|chdir|on|once|off|emit|add|addListener|remove|removeListener|removeAllListeners|prependListener|prependOnceListener|setMaxListeners|setUncaughtExceptionCaptureCallback|nextTick|emitWarning|noDeprecation|throwDeprecation|traceDeprecation|type|set(?:e?[ug]id|groups)|stdin|loadEnvFile)\b/,
    'ordinary',
  ],
  [/^process\.getBuiltinModule\.\(\)$/, 'room'],
  [/^process\b/, 'room'],
  [/^os\.(?:EOL|platform|arch|type|constants|endianness|devNull)\b/, 'ordinary'],
  [/^os\.\w/, 'machine'],
  [/^os\b/, 'room'],
  [
    /^fs\.(?:\w+\.)*(?:l|f)?stat\w*\..*\b(?:uid|gid|ino|dev|nlink|rdev|blksize|blocks|atime(?:Ms|Ns)?|birthtime(?:Ms|Ns)?)\b|^fs\.(?:promises\.)?statfs/,
    'room',
  ],
  [/^fs\.(?:\w+\.)*(?:l|f)?stat\w*\..*\b(?:isFIFO|isCharacterDevice|isSocket|isBlockDevice)\b/, 'machine'],
  [/^fs\b/, 'ordinary'],
  [/^async_hooks\.(?:AsyncLocalStorage|AsyncResource)\b/, 'ordinary'],
  [/^v8\.(?:(?:de)?serialize|\w*(?:Des|S)erializer)\b/, 'ordinary'],
  [/^vm\.(?:Script|createContext|runInNewContext|runInContext|SourceTextModule|SyntheticModule|compileFunction)\b/, 'ordinary'],
  [/^module\.(?:exports|id|require|createRequire|builtinModules|isBuiltin|stripTypeScriptTypes)\b|^module$/, 'ordinary'],
  [
    /^worker_threads\.(?:Worker|MessageChannel|MessagePort|BroadcastChannel|parentPort|workerData|moveMessagePortToContext|receiveMessageOnPort|markAs\w+)\b/,
    'ordinary',
  ],
  [/^(?:async_hooks|v8|vm|module|worker_threads|inspector|trace_events)\b/, 'room'],
  [/^cluster\b/, 'machine'],
  [/^diagnostics_channel\b.*\bhasSubscribers\b/, 'room'],
  [
    /^performance\.(?:nodeTiming|eventLoopUtilization|getEntries\w*)\b|^perf_hooks\.(?:monitorEventLoopDelay|PerformanceObserver)\b/,
    'room',
  ],
  [/^util\.types\.isProxy\b/, 'room'],
  [/^import\.meta\.main\b/, 'main'],
  [/^import\.meta\.(?:resolve|hot|glob|webpackHot)\b/, 'ordinary'],
  [/^import\.meta\b/, 'room'],
  [/^require\.main\.\w|^module\.parent\.\w/, 'place'],
  [/^require\.main$|^module\.parent$/, 'main'],
  [/^require\.(?:cache|extensions)\b/, 'room'],
  [/^Error\.(?:prepareStackTrace|stackTraceLimit)\b/, 'room'],
  [/^Error\.(?:\(\)\.)?stack\b/, 'machine'],
  [/^(?:eval|Function)\.\(\)/, 'room'],
  [/^Function\.prototype\.toString\b/, 'room'],
  [
    /^(?:Date|Math|Promise|console|set(?:Timeout|Interval|Immediate)|queueMicrotask|fetch|JSON|Atomics)(?:\.\w+)*\.(?:toString|name|prototype\.constructor)\b/,
    'room',
  ],
  [/^globalThis\.(?:\*|length|size|includes|some|every|find|has)(?:\.|$)|^globalThis$|^arguments\.callee\b/, 'room'],
];

const PYTHON: readonly Rule[] = [
  LISTED,
  [
    /^sys\.(?:version|version_info|hexversion|implementation\.(?:version|hexversion))\b|^platform\.(?:python_\w+|release|version)\b/,
    'machine',
  ],
  [/^os\.(?:environb?|getenvb?)\b/, 'environment'],
  [/^sys\.argv\b/, 'arguments'],
  [
    /^sys\.(?:__)?std(?:in|out|err)(?:__)?\.isatty\b|^sys\.ps[12]\b|^os\.(?:isatty|get_terminal_size)\b|^shutil\.get_terminal_size\b/,
    'terminal',
  ],
  [
    /^sys\.std(?:in|out|err)\.(?:write|writelines|flush|buffer|read|readline|readlines|encoding|errors|reconfigure|fileno|close)\b|^sys\.std(?:in|out|err)$/,
    'ordinary',
  ],
  [/^sys\.(?:executable|path|prefix|base_prefix|exec_prefix)\b|^os\.getcwdb?\b|^tempfile\.gettempdir\b|^__file__\b/, 'place'],
  [/^__name__\b/, 'main'],
  [/^sys\.modules\.__name__/, 'ordinary'],
  [
    /^sys\.(?:exit|platform|implementation|maxsize|maxunicode|byteorder|getsizeof|intern|float_info|int_info|hash_info|exc_info|exception|stdlib_module_names|builtin_module_names|getdefaultencoding|getfilesystemencoding|setrecursionlimit|excepthook|set_int_max_str_digits|displayhook)\b/,
    'ordinary',
  ],
  [
    /^sys\.(?:getrecursionlimit|getrefcount)\b|^os\.(?:get(?:e?[ug]id|res[ug]id|login|groups|ppid|pgrp|loadavg)|uname|cpu_count|process_cpu_count|sched_getaffinity|access)\b/,
    'machine',
  ],
  [/^sys\b/, 'room'],
  [/\.?\bst_(?:uid|gid|ino|dev|nlink|blksize|atime)\b|^os\.statvfs\b|^os\.ctermid\b|^os\.ttyname\b/, 'room'],
  [/^os\.\w/, 'ordinary'],
  [/^os\b/, 'room'],
  [/^inspect\.(?:stack|currentframe|getouterframes|getinnerframes|trace|getframeinfo)\b/, 'room'],
  [/^traceback\.(?:extract_stack|format_stack|print_stack|walk_stack|StackSummary)\b/, 'room'],
  [/^(?:hypothesis|gc|resource|pwd|grp|faulthandler|tracemalloc|ctypes)\b/, 'room'],
  [/^warnings\.(?:filters|showwarning|_\w+)\b|^signal\.getsignal\b|^asyncio\.all_tasks\b/, 'room'],
  [
    /^socket\.(?:gethostname|getfqdn|if_nameindex|gethostbyname)\b|^platform\.(?:node|uname)\b|^getpass\.getuser\b|^logging\.root\.handlers\b/,
    'machine',
  ],
  [
    /^threading\.(?:enumerate|current_thread|active_count|gettrace|getprofile|excepthook)\b|^asyncio\.current_task\b|^importlib\.util\.find_spec\b/,
    'machine',
  ],
  [
    /^locale\.(?:getlocale|getdefaultlocale|localeconv|getpreferredencoding|getencoding)\b|^time\.(?:timezone|altzone|daylight|tzname)\b/,
    'machine',
  ],
  [/^(?:(?:tb|gi|cr|ag)_frame|f_back|site)\b/, 'room'],
  [/^sysconfig\b/, 'place'],
  [/^(?:eval|exec)\.\(\)/, 'room'],
  [/^(?:__builtins__|__loader__|__spec__)\b|^builtins\.__dict__\b|^builtins\.\*/, 'room'],
];

const RULES: Readonly<Record<Language, readonly Rule[]>> = { javascript: JAVASCRIPT, python: PYTHON };

export function kindOf(language: Language, path: string): Kind {
  return RULES[language].find(([pattern]) => pattern.test(path))?.[1] ?? 'ordinary';
}

/** Names that no import brings. */
export const GLOBALS: Readonly<Record<Language, ReadonlySet<string>>> = {
  javascript: new Set(
    'process Bun Deno require module __filename __dirname Error performance eval Function Date Math Promise console setTimeout setInterval setImmediate queueMicrotask fetch JSON Atomics globalThis arguments'.split(
      ' ',
    ),
  ),
  python: new Set('__file__ __name__ __builtins__ __loader__ __spec__ eval exec open'.split(' ')),
};

/** Other names of the same object. */
export const SAME: Readonly<Record<string, string>> = { global: 'globalThis', window: 'globalThis', self: 'globalThis' };

export const MODULES: Readonly<Record<Language, ReadonlySet<string>>> = {
  javascript: new Set(
    'process os fs async_hooks v8 vm module inspector worker_threads trace_events cluster diagnostics_channel perf_hooks util tty child_process path url'.split(
      ' ',
    ),
  ),
  python: new Set(
    'os sys shutil tempfile inspect traceback gc resource pwd grp faulthandler tracemalloc ctypes warnings signal asyncio socket platform getpass logging threading importlib builtins subprocess pathlib io site sysconfig locale time glob hypothesis'.split(
      ' ',
    ),
  ),
};

/** Whole objects of which every member would count, if they are handed to others. */
export const WHOLE: ReadonlySet<string> = new Set(['process', 'sys', 'import.meta', 'async_hooks', 'inspector', 'gc', '__builtins__']);

/** Functions whose result is their argument in another form. */
export const PASSING =
  /^(?:String|Number|Boolean|URL|fileURLToPath|pathToFileURL|dirname|basename|join|resolve|normalize|relative|parse|decodeURI|decodeURIComponent|encodeURI|realpathSync|realpath|native|str|repr|Path|PurePath|abspath|normpath|fspath|list|tuple|set|dict|sorted|len|type|id|bool|int|keys|values|entries|getOwnPropertyNames|ownKeys|from|stringify|freeze|vars|dir|any|all|next|iter|map|filter|some|every|find|isinstance|getOwnPropertyDescriptor|getOwnPropertyDescriptors|getPrototypeOf)$/;

/** Functions and methods that say what a value is like. */
export const INSPECTING =
  /^(?:includes|startsWith|endsWith|match|matchAll|search|test|exec|indexOf|lastIndexOf|has|is|localeCompare|charCodeAt|startswith|endswith|find|rfind|index|count|fullmatch|isinstance|some|every|any|all|equal|deepEqual|isDeepStrictEqual|relative_to|is_relative_to)$/;

/** What a parent has to know to look at an object itself. */
export const DESCRIBING = /^(?:getOwnPropertyNames|ownKeys|keys|entries|values|getOwnPropertyDescriptors?|getPrototypeOf|dir|vars)$/;

/** Files by which a machine tells about itself, and not those that every program may use. */
export const SYSTEM_PLACE =
  /^(?:file:\/\/)?\/(?:(?:proc|sys|etc|dev)(?:\/(?!(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d)$)|$)|\.dockerenv|run\/\.containerenv)/;

/** Programs that tell about the machine, the user or the process. */
export const OBSERVING_PROGRAM =
  /(?:^|[\s;&|/])(?:ulimit|mount|id|whoami|hostname|uname|ps|env|printenv|stat|df|tty|nproc|lsns|findmnt|systemd-detect-virt|getent|groups|prlimit|pgrep|lsof|sysctl|ip|ifconfig)(?:\s|$)/;

/** What a description has to speak of for an observation to be a part of the work. */
export const ASKED_FOR: readonly (readonly [RegExp, RegExp])[] = [
  [/working directory/, /\b(?:files?|folders?|director(?:y|ies)|lists?|scans?|projects?|paths?|globs?)\b/i],
  [
    /version|release/,
    /\b(?:versions?|compatib\w+|interpreters?|runtimes?|older|newer|legacy|backports?|polyfills?|(?:node(?:\.?js)?|python) ?v?\d[\d.]*)\b/i,
  ],
  [/argv|Deno\.args/, /\b(?:argv|arguments?|command[- ]?line|cli|options?|flags?|sub-?commands?|usage|program|script|prints?)\b|--\w/i],
  [/isTTY|columns|rows|isatty|terminal_size|Color/, /\b(?:terminals?|tty|colou?rs?|interactive|columns|width|ansi)\b/i],
  [/[ug]id\b|userInfo|getuser|login|pwd|grp|groups/, /\b(?:users?|owners?|owned|permissions?|root|privileges?|groups?)\b/i],
  [/stack|frame|Error\./, /\b(?:stacks?|traces?|tracebacks?|callers?|frames?)\b/i],
  [/memory|Memory|mem\b|heap|v8|gc\b|resource|tracemalloc/i, /\b(?:memory|heap|limits?|resources?|leaks?|garbage)\b/i],
  [
    /cpu|Parallelism|loadavg|worker_threads|cluster|thread/i,
    /\b(?:cpus?|cores?|processors?|parallel|workers?|threads?|pools?|load|concurren\w+)\b/i,
  ],
  [/uptime/, /\b(?:uptime|health|status|running)\b/i],
  [/send|connected|channel/, /\b(?:ipc|child|fork|messages?|parent)\b/i],
  [/eval|Function|vm\b|exec/, /\b(?:evaluat\w+|eval|expressions?|execut\w+|scripts?|code|template)\b/i],
  [/async_hooks/, /\b(?:async|context|hooks?)\b/i],
  [/diagnostics_channel/, /\b(?:trac(?:e|es|ing)|channels?|diagnostics?|subscri\w+)\b/i],
  [/ctypes/, /\b(?:windows|win32|api|native|dll|ffi|c library)\b/i],
  [/inspector/, /\b(?:debug\w*|inspect\w*|profil\w*)\b/i],
  [/modules|module\.|require\.|find_spec|meta_path/, /\b(?:modules?|imports?|plugins?|loaders?|cache|optional)\b/i],
  [/hostname|getfqdn|node\b|uname/, /\b(?:host\w*|machine|server|system|name of)\b/i],
  [/networkInterfaces/, /\b(?:network|addresses|address|ip|interfaces?|lan)\b/i],
];
