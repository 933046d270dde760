import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { client, readJson, encodePathPart } from '../shared/api.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { $session } from '../shared/session-state.ts';
import { ICON, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { useChat, useChatField } from './chat-context.ts';
import { restoreLostFocus } from './messages/message-focus.ts';

/** Session storage key prefix: characters whose notice was dismissed in this tab. */
const DISMISSED_PREFIX = 'spicy-note:';

function isDismissed(characterId: string): boolean {
  try {
    return sessionStorage.getItem(DISMISSED_PREFIX + characterId) !== null;
  } catch {
    return false;
  }
}

/** Asks the shell to toggle spicy mode: the shell knows which confirmations are needed first. */
const clickNsfwSwitch = () => window.dispatchEvent(new CustomEvent('loreloom:spicy'));

/**
 * Says that spicy mode and the character do not match: spicy mode is on but the character does not allow it, or it is off
 * and the character is for adults. Offers the matching action.
 * @param isHere whether spicy mode exists on this site
 */
export function NsfwNotice({ isHere }: { isHere: boolean }) {
  const conversation = useChatField('conversation');
  const user = useStore($session, { ssr: 'initial' }).auth?.user;
  if (!conversation || !user || conversation.nsfw_allowed === undefined) return null;
  return conversation.nsfw_allowed ? (
    user.spicy_mode ? null : (
      <NsfwDisabledNotice name={conversation.character_name} isHere={isHere} />
    )
  ) : user.spicy_mode ? (
    <NsfwSettingNotice
      key={conversation.character_id}
      id={conversation.character_id}
      name={conversation.character_name}
      own={conversation.own_character === true}
    />
  ) : null;
}

function NsfwDisabledNotice({ name, isHere }: { name: string; isHere: boolean }) {
  const words = useTranslate('chat');
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1 text-sm">
      <p className="min-w-0 flex-1 basis-60 break-words">
        {words(isHere ? 'spicyModeOff' : 'spicyUnavailable', { name })}
      </p>
      {isHere ? (
        <button type="button" className={SECONDARY} onClick={clickNsfwSwitch}>
          {words('spicyTurnOn')}
        </button>
      ) : null}
    </div>
  );
}

function NsfwSettingNotice({ id, name, own }: { id: string; name: string; own: boolean }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const [isHidden, setHidden] = useState(() => isDismissed(id));
  const [busy, setBusy] = useState(false);
  // The clicked button is gone once the notice is hidden: return focus to the messages.
  useEffect(() => {
    if (isHidden) restoreLostFocus(null);
    return () => restoreLostFocus(null);
  }, [isHidden]);
  if (isHidden) return null;

  const allow = async (allowed: boolean): Promise<void> => {
    setBusy(true);
    const answer = await readJson(
      client.characters[':id'].$patch({ param: { id: encodePathPart(id) }, json: { nsfw_allowed: allowed } }),
    );
    setBusy(false);
    if (!answer.ok) {
      showToast({ text: words('spicyAllowFailed', { name }), kind: 'danger' });
      return;
    }
    // The character's fields come with the conversation, so reload it.
    chat.handleHint({ type: 'changed', message_ids: [] });
    if (!allowed) return;
    showToast({
      text: words('spicyAllowed', { name }),
      action: { label: words('undo'), run: () => void allow(false) },
    });
  };
  const dismiss = () => {
    try {
      sessionStorage.setItem(DISMISSED_PREFIX + id, '1');
    } catch {
      // Storage is blocked: the notice will show again on the next page.
    }
    setHidden(true);
  };
  return (
    <div role="note" className="flex items-start gap-2 text-sm">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 py-1">
        <p className="min-w-0 flex-1 basis-60 break-words">
          {words(own ? 'spicyNotAllowedOwn' : 'spicyNotAllowed', { name })}
        </p>
        {own ? (
          <button
            type="button"
            className={SECONDARY}
            aria-busy={busy}
            disabled={busy}
            onClick={() => void allow(true)}
          >
            {words('spicyAllow', { name })}
          </button>
        ) : (
          <button type="button" className={SECONDARY} onClick={clickNsfwSwitch}>
            {words('spicyTurnOff')}
          </button>
        )}
      </div>
      <button type="button" className={ICON} aria-label={words('dismiss')} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
