// Ends a test file whose tests are done, whatever it left open.
import { after } from 'node:test';
let told = -1;
let still = 0;
const look = () => {
  const now = process.stdout.bytesWritten ?? 0;
  still = now === told ? still + 1 : 0;
  told = now;
  if (still > 3) process.exit();
};
if (process.env.NODE_TEST_CONTEXT) after(() => void setInterval(look, 100).unref());
