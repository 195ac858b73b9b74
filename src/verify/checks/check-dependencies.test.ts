import { createBench } from '../test-support.ts';
import { testCheck } from '../test-support-case.ts';
import { DEPENDENCIES } from './check-dependencies.ts';

const { context, dispose } = await createBench();
const { rooms } = context();
await dispose();
const changed = { 'package.json': '{"name":"calculator","dependencies":{"left":"1.0.0"},"scripts":{"test":"node --test"}}' };

testCheck(DEPENDENCIES, [
  { name: 'a changed package file that can be installed', work: changed, finds: [], says: 'packages can be installed' },
  {
    name: 'a changed package file that cannot',
    work: changed,
    patch: { rooms: { ...rooms, whyBroken: async () => 'npm ci failed: no such package' } },
    finds: [
      'reject dependencies.broken: the packages of the candidate cannot be installed, those of base can: npm ci failed: no such package',
    ],
  },
]);
