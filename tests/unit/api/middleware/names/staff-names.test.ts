import { describe, expect, test } from 'vitest';
import { Problem } from '../../../../../src/api/middleware/problems.ts';
import { refuseStaffNames } from '../../../../../src/api/middleware/names/staff-names.ts';

describe('Changes of names', () => {
  const reader = { role: 'user', username: 'Support', nickname: 'Staff' } as const;

  test('a name that the user has already is not refused', () => {
    expect(() => refuseStaffNames(reader, { username: 'Support', nickname: 'Staff' })).not.toThrow();
    expect(() => refuseStaffNames(reader, { nickname: null })).not.toThrow();
  });

  test('the refusal names the field and the part', () => {
    try {
      refuseStaffNames(reader, { username: 'Support', nickname: 'Mia Admin' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({
        code: 'name_like_staff',
        extra: { part: 'Admin', fields: { nickname: [expect.stringContaining('“Admin”')] } },
      });
    }
  });

  test('staff may use a name of the staff', () => {
    expect(() => refuseStaffNames({ ...reader, role: 'admin' }, { nickname: 'Loreloom Team' })).not.toThrow();
  });
});
