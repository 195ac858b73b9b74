// Behind `chance.cjs`.
const crypto = process.getBuiltinModule?.('node:crypto') ?? process.mainModule?.require('node:crypto');
const { randomBytes, randomInt, randomUUID } = crypto;
crypto.randomInt = (...given) => {
  if (!isAsked()) return randomInt(...given);
  const [first, second, done] = given;
  const [least, most] = typeof second === 'number' ? [first, second] : [0, first];
  const value = least + Math.floor(share() * (most - least));
  const told = typeof second === 'function' ? second : done;
  return told ? void process.nextTick(told, null, value) : value;
};
const turned = (bytes) => {
  if (bytes?.length > 0) bytes[0] = isLow ? 0 : 255;
  return bytes;
};
crypto.randomBytes = (size, done) => {
  if (!isAsked()) return randomBytes(size, done);
  return done ? randomBytes(size, (error, bytes) => done(error, turned(bytes))) : turned(randomBytes(size));
};
crypto.randomUUID = (options) => (isAsked() ? (isLow ? '00' : 'ff') + randomUUID(options).slice(2) : randomUUID(options));
process.getBuiltinModule?.('node:module').syncBuiltinESMExports();
