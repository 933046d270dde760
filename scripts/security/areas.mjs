// What `npm run test:security` tries, by area: tests of its own, and those of other suites that belong to it.

/**
 * @typedef {{ name: string, own: string[], also?: { unit?: string[], workers?: string[], browser?: string[] } }} Area
 * @type {Area[]}
 */
export const AREAS = [
  {
    name: 'Roles: every route by everybody',
    own: ['tests/security/workers/roles.test.ts'],
    also: {
      workers: ['admin-roles', 'privacy', 'suspension', 'unlisted', 'picture-doors', 'unseen-characters'],
    },
  },
  {
    name: 'Made-up bodies, queries, headers',
    own: ['tests/security/workers/fuzz.test.ts'],
    also: { workers: ['bad-input'] },
  },
  {
    name: 'Uploaded files',
    own: ['tests/security/workers/uploads.test.ts'],
    also: {
      unit: ['picture', 'card-file', 'card-large', 'multipart', 'archive', 'chat-file-foreign'],
      workers: ['uploads', 'cards', 'chat-files'],
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
      unit: ['chat-html', 'chat-markdown', 'story-text', 'linked-data', 'lib/visible-text', 'link-host'],
      workers: ['export', 'prompt-safety'],
      browser: ['hostile-text'],
    },
  },
  {
    name: 'Origins, cookies, sessions',
    own: ['tests/security/workers/origins.test.ts', 'tests/security/workers/secrets.test.ts'],
    // What comes from another site, contract.test.ts sends to every route.
    also: { workers: ['contract', 'sessions', 'session-list', 'live', 'live-sessions', 'signing-in'] },
  },
  {
    name: 'Paths, hosts, headers, caches',
    own: ['tests/security/built/paths.spec.ts'],
    also: { unit: ['own-path', 'routes', 'lib/cache-control'], browser: ['edge'] },
  },
  {
    name: 'Requests to others',
    own: ['tests/security/workers/outward.test.ts', 'tests/security/files/outward.test.ts'],
  },
  {
    name: 'Guessing, and what is compared',
    own: ['tests/security/files/compared.test.ts'],
    also: {
      workers: [
        'security',
        'login-codes',
        'invites',
        'deletion',
        'unsubscribe',
        'guests',
        'google-token',
        'google-page',
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
    also: { unit: ['production-build'] },
  },
  { name: 'What docs/security.md says', own: ['tests/security/files/asvs.test.ts'] },
];

/** The file of a test of another suite. */
export const fileOf = {
  unit: (name) => `tests/unit/${name}.test.ts`,
  workers: (name) => `tests/workers/${name}.test.ts`,
  browser: (name) => `tests/e2e/${name}.spec.ts`,
};

/** The files of an area. @param {Area} area @param {boolean} whole with those of other suites */
export function filesOf({ own, also = {} }, whole) {
  if (!whole) return own;
  return [...own, ...Object.entries(also).flatMap(([kind, names]) => names.map(fileOf[kind]))];
}

/** Of some files those that a runner takes. */
export const RUNNERS = {
  files: (path) => path.startsWith('tests/security/files/') || path.startsWith('tests/unit/'),
  workers: (path) => path.startsWith('tests/security/workers/') || path.startsWith('tests/workers/'),
  built: (path) => path.startsWith('tests/security/built/') || path.startsWith('tests/e2e/'),
};
