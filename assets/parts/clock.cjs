{
  const began = performance.timeOrigin + given_before_ms;
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, enumerable: true, get: () => began });
  const { now } = performance;
  Object.defineProperty(performance, 'now', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: () => now.call(performance) + given_age_ms,
  });
  const uptime = process.uptime.bind(process);
  process.uptime = () => uptime() + given_age_s;
  const hrtime = process.hrtime;
  const { bigint } = hrtime;
  process.hrtime = Object.assign(
    (since) => {
      const [seconds, rest] = hrtime.call(process, since);
      return [seconds + given_age_s, rest];
    },
    { bigint: () => bigint.call(hrtime) + given_age_ns },
  );
}
