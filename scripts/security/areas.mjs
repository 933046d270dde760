// The areas of `npm run test:security`, each with its own tests and the tests of other suites that belong to it.

/**
 * @typedef {{ name: string, own: string[], also?: { unit?: string[], workers?: string[], browser?: string[] } }} Area
 * @type {Area[]}
 */
export const AREAS = [
  {
    name: 'Roles: every route by everybody',
    own: ['tests/security/workers/roles.test.ts'],
    also: {
      workers: [
        'features/runtime-config/admin-roles',
        'api/conversation-privacy',
        'features/moderation/suspension',
        'features/conversation/unlisted',
        'features/picture/visibility',
        'features/character/discovery/hidden-characters',
      ],
    },
  },
  {
    name: 'Made-up bodies, queries, headers',
    own: ['tests/security/workers/fuzz.test.ts'],
    also: { workers: ['api/bad-input'] },
  },
  {
    name: 'Error answers of every route',
    own: ['tests/security/workers/error-answers.test.ts'],
    also: { workers: ['api/middleware/request-log'] },
  },
  {
    name: 'Totals of a person',
    own: ['tests/security/workers/storage.test.ts'],
    also: { workers: ['features/storage/storage', 'api/middleware/upload', 'api/middleware/import-quota'] },
  },
  {
    name: 'Uploaded files',
    own: ['tests/security/workers/uploads.test.ts'],
    also: {
      unit: [
        'features/picture/picture',
        'features/cards/card-file',
        'features/cards/card-large',
        'api/middleware/multipart',
        'features/export/archive',
        'features/conversation/files/chat-file-foreign',
      ],
      workers: ['features/picture/uploads', 'features/cards/cards', 'features/conversation/files/chat-files'],
    },
  },
  {
    name: 'Stored scripts, shown anywhere',
    own: [
      'tests/security/built/stored-scripts.spec.ts',
      'tests/security/built/stored-scripts-chat.spec.ts',
      'tests/security/built/stored-scripts-staff.spec.ts',
      'tests/security/workers/written-texts.test.ts',
      'tests/security/workers/mails.test.ts',
    ],
    also: {
      unit: [
        'features/conversation/files/chat-html',
        'features/conversation/files/chat-markdown',
        'features/markup/parse-markup',
        'features/markup/parse-markup.property',
        'components/data/structured-data',
        'lib/sanitize-text',
        'features/markup/link-host',
      ],
      workers: ['features/export/export', 'features/conversation/moderation/prompt-safety'],
      browser: ['hostile-text'],
    },
  },
  {
    name: 'Origins, cookies, sessions',
    own: ['tests/security/workers/origins.test.ts', 'tests/security/workers/secrets.test.ts'],
    // api/contract.test.ts sends requests of another origin to every route.
    also: {
      workers: [
        'api/contract',
        'features/account/sessions',
        'features/account/session-list',
        'features/account/recent-login',
        'features/conversation/live-sockets',
        'features/account/live-sessions',
        'features/account/guest-login',
        'features/conversation/turn/followers',
      ],
      browser: ['logout-tabs'],
    },
  },
  {
    name: 'Paths, hosts, headers, caches',
    own: ['tests/security/built/paths.spec.ts'],
    also: {
      unit: ['features/account/safe-redirect', 'locales/routes', 'lib/cache-control'],
      browser: ['edge'],
    },
  },
  {
    name: 'Requests to others',
    own: ['tests/security/workers/outward.test.ts', 'tests/security/files/outward.test.ts'],
  },
  {
    name: 'Guessing, and what is compared',
    own: ['tests/security/files/compared.test.ts', 'tests/security/workers/networks.test.ts'],
    also: {
      workers: [
        'features/account/security',
        'features/account/login-codes',
        'features/account/code-waits',
        'features/account/code-limit',
        'features/account/passkeys',
        'features/account/invites',
        'features/account/deletion/deletion',
        'features/mail/unsubscribe',
        'features/account/guests',
        'features/account/google-token',
        'features/account/google-page',
      ],
    },
  },
  {
    name: 'Bundle and dependencies',
    own: [
      'tests/security/files/bundle.test.ts',
      'tests/security/files/dependencies.test.ts',
      'tests/security/files/audit.test.ts',
    ],
    also: { unit: ['repository/production-build'] },
  },
  { name: 'What docs/tables/security-checks.md says', own: ['tests/security/files/asvs.test.ts'] },
];

/** The path of a test of another suite. */
export const fileOf = {
  unit: (name) => `tests/unit/${name}.test.ts`,
  workers: (name) => `tests/workers/${name}.test.ts`,
  browser: (name) => `tests/e2e/${name}.spec.ts`,
};

/** Lists the files of an area. @param {Area} area @param {boolean} whole includes those of other suites */
export function filesOf({ own, also = {} }, whole) {
  if (!whole) return own;
  return [...own, ...Object.entries(also).flatMap(([kind, names]) => names.map(fileOf[kind]))];
}

/** Whether a runner runs a file, by runner. */
export const RUNNERS = {
  files: (path) => path.startsWith('tests/security/files/') || path.startsWith('tests/unit/'),
  workers: (path) => path.startsWith('tests/security/workers/') || path.startsWith('tests/workers/'),
  built: (path) => path.startsWith('tests/security/built/') || path.startsWith('tests/e2e/'),
};
