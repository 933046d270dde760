// Gives Node the `.bin` files that the Workers runtime loads as modules: `node --import ./scripts/lib/binary-modules.mjs`.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.bin')) return next(url, context);
    const base64 = readFileSync(fileURLToPath(url)).toString('base64');
    const source = `export default Uint8Array.from(Buffer.from('${base64}', 'base64')).buffer;`;
    return { format: 'module', source, shortCircuit: true };
  },
});
