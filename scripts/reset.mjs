// `npm run reset`: deletes what `npm start` has stored on this machine. Plain JavaScript for Node 20, without a dependency.
import { existsSync, rmSync } from 'node:fs';
import { OWNER_FILE, readOwner, STATE_DIR } from './lib/state-owner.mjs';

const owner = readOwner(OWNER_FILE);
if (owner !== null) {
  console.error(
    `This checkout runs at http://localhost:${owner.port}. End that first (process ${owner.pid}).`,
  );
  process.exit(1);
}
const isThere = existsSync(STATE_DIR);
rmSync(STATE_DIR, { recursive: true, force: true });
console.log(isThere ? 'The local data is deleted.' : 'There is no local data.');
