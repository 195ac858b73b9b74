// Numbers of processes and processors, memory and network devices, for everybody.
const builtin = (name) => process.getBuiltinModule?.(name) ?? process.mainModule?.require(name);
const os = builtin('node:os');
const interfaces = os.networkInterfaces.bind(os);
os.networkInterfaces = () => ({
  ...interfaces(),
  eth0: [
    {
      address: '192.168.1.23',
      netmask: '255.255.255.0',
      family: 'IPv4',
      mac: '52:54:00:12:34:56',
      internal: false,
      cidr: '192.168.1.23/24',
    },
  ],
});
const { cpus, totalmem, freemem, availableParallelism } = os;
os.cpus = () => {
  const all = cpus();
  return [...all, ...all.slice(0, 1)].map((one) => ({ ...one, model: 'CPU' }));
};
if (availableParallelism) os.availableParallelism = () => availableParallelism() + 1;
os.totalmem = () => totalmem() + 2 ** 30;
os.freemem = () => freemem() + 2 ** 20;
for (const [name, value] of [
  ['pid', 20000 + process.pid],
  ['ppid', 20000 + process.ppid],
]) {
  // A value alone does not take the place of what the interpreter itself gives.
  delete process[name];
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
}
builtin('node:module')?.syncBuiltinESMExports?.();
