import { expect, test } from 'vitest';
import { relativePaths } from './relative-paths.ts';

const place = { harnessHome: '/home/a.b/.harness', root: '/home/a.b/app' };
const copy = '/home/a.b/.harness/work/app-1a2b/main/tree';
const room = '/home/a.b/.harness/rooms/app-1a2b/lane-1/judge';

test.each([
  [`Error in file://${room}/src/a.js:3:1`, 'Error in src/a.js:3:1'],
  [`cd ${copy} && node src/a.js`, 'cd . && node src/a.js'],
  [`cd '${copy}/'; node ${copy}/bin/x.js`, "cd '.'; node bin/x.js"],
  ['see /home/a.b/app/src/a.js, not /home/a.b/app-two/src/a.js', 'see src/a.js, not /home/a.b/app-two/src/a.js'],
  ['/home/a.b/.harness/config.yaml and /homexaxb/app/x stay', '/home/a.b/.harness/config.yaml and /homexaxb/app/x stay'],
])('%s is written as %s', (text, expected) => {
  expect(relativePaths(place, text)).toBe(expected);
});
