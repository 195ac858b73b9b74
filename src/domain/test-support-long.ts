/** For tests only: `npm run test:long` asks everything on every runner; `npm test` a part of it that stands for the rest. */
export const isLong = process.env['HARNESS_LONG'] !== undefined;
