import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/schema.ts',
    './src/db/character-schema.ts',
    './src/db/billing-schema.ts',
    './src/db/safety-schema.ts',
    './src/db/competition-schema.ts',
    './src/db/stats-schema.ts',
    './src/db/status-schema.ts',
  ],
  out: './migrations',
});
