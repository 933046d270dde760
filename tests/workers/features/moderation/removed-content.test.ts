import { describe, expect, test } from 'vitest';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import { uploadTestPicture, createOwnCharacter } from '../../../support/character-actions.ts';
import { downloadArchive } from '../../../support/data-export.ts';
import { type Visitor, createAccount } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../../../support/staff.ts';

const listActions = async (me: Visitor) =>
  (await me.ask<OwnModerationActionList>('/api/me/measures')).items.map(({ kind, subject, taken }) => ({
    kind,
    subject,
    taken,
  }));

describe('Content removed by staff', () => {
  test('a user can read the names that staff cleared, in the app and in the data export', async () => {
    const operator = await createStaffUser();
    const { maker: me, id } = await createCreator({ name: 'Offensive' });
    await me.ask('/api/account', { method: 'PATCH', json: { username: 'rude-one', nickname: 'Rude' } });
    await applyModerationAction(operator, { kind: 'name_cleared', subject_id: id });
    await applyModerationAction(operator, { kind: 'name_cleared', subject_id: me.id });
    await applyModerationAction(operator, { kind: 'character_hidden', subject_id: id });
    expect(await listActions(me)).toEqual([
      { kind: 'character_hidden', subject: 'character', taken: null },
      { kind: 'name_cleared', subject: 'account', taken: { names: ['Rude', 'rude-one'], picture_url: null } },
      { kind: 'name_cleared', subject: 'character', taken: { names: ['Offensive'], picture_url: null } },
    ]);
    const { measures } = (await downloadArchive(me)).json<{ measures: { taken: object | null }[] }>(
      'account.json',
    );
    expect(measures.map(({ taken }) => taken)).toEqual([
      { names: ['Offensive'], picture: null },
      { names: ['Rude', 'rude-one'], picture: null },
      null,
    ]);
  });

  test('only the owner can see a removed picture, which is no longer listed once it is restored', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const key = await uploadTestPicture(me, createUniquePicture(77));
    const { id, avatar_url } = await createOwnCharacter(me, { avatar_id: key });
    const ownPicture = await uploadTestPicture(me, createUniquePicture(78));
    await me.ask('/api/account', { method: 'PATCH', json: { avatar_id: ownPicture } });
    const { id: actionId } = await applyModerationAction(operator, {
      kind: 'picture_removed',
      subject_id: id,
    });
    await applyModerationAction(operator, { kind: 'picture_removed', subject_id: me.id });
    expect(await listActions(me)).toEqual([
      {
        kind: 'picture_removed',
        subject: 'account',
        taken: { names: [], picture_url: `/media/${ownPicture}` },
      },
      { kind: 'picture_removed', subject: 'character', taken: { names: [], picture_url: avatar_url } },
    ]);
    const opens = async (visitor: Visitor) => {
      const answer = await visitor.call(avatar_url);
      await answer.body?.cancel();
      return answer.status;
    };
    expect([await opens(me), await opens(await createAccount())]).toEqual([200, 404]);
    await operator.ask(`/api/admin/measures/${actionId}`, { method: 'DELETE' });
    expect((await listActions(me))[1]).toMatchObject({ taken: { names: [], picture_url: null } });
  });
});
