import { expect, test } from 'vitest';
import { toResults } from './results.ts';

test('a name that holds the path of the room is the same in every room', () => {
  const idsIn = (room: string): string[] =>
    toResults(
      [`resolve('a') should be '${room}/a'`, `from ${room}`, `from ${room}`].map((name) => ({
        file: `${room}/test/a.js`,
        name: ['path', name],
        status: 'passed',
      })),
      room,
    ).map((one) => one.id);
  expect(idsIn('/rooms/one')).toEqual([
    "test/a.js::path > resolve('a') should be '<project>/a'",
    'test/a.js::path > from <project>',
    'test/a.js::path > from <project> #2',
  ]);
  expect(idsIn('/elsewhere/two')).toEqual(idsIn('/rooms/one'));
});
