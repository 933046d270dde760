import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { client, dataOf, inPath } from '../shared/api.ts';
import { useWords } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { $session } from '../shared/session-state.ts';
import { ICON, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { useChat } from './chat-context.ts';
import { rescueFocus } from './messages/message-focus.ts';

/** Characters whose note was put away in this tab. */
const PUT_AWAY = 'spicy-note:';

function wasPutAway(characterId: string): boolean {
  try {
    return sessionStorage.getItem(PUT_AWAY + characterId) !== null;
  } catch {
    return false;
  }
}

/** The switch is the shell's: it knows what has to be asked first. */
const pressSwitch = () => window.dispatchEvent(new CustomEvent('loreloom:spicy'));

/**
 * Says where spicy mode and the character do not go together: on, where the character does not allow it, and off, where
 * it is for adults. Each with its way out.
 * @param isHere whether this site has spicy mode at all
 */
export function SpicyNote({ isHere }: { isHere: boolean }) {
  const { conversation } = useStore(useChat().$chat, { ssr: 'initial' });
  const user = useStore($session, { ssr: 'initial' }).auth?.user;
  if (!conversation || !user || conversation.nsfw_allowed === undefined) return null;
  return conversation.nsfw_allowed ? (
    user.spicy_mode ? null : (
      <Withheld name={conversation.character_name} isHere={isHere} />
    )
  ) : user.spicy_mode ? (
    <Stays
      key={conversation.character_id}
      id={conversation.character_id}
      name={conversation.character_name}
      own={conversation.own_character === true}
    />
  ) : null;
}

function Withheld({ name, isHere }: { name: string; isHere: boolean }) {
  const words = useWords('chat');
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1 text-sm">
      <p className="min-w-0 flex-1 basis-60 break-words">
        {words(isHere ? 'spicyWithheld' : 'spicyNotHere', { name })}
      </p>
      {isHere ? (
        <button type="button" className={SECONDARY} onClick={pressSwitch}>
          {words('spicyTurnOn')}
        </button>
      ) : null}
    </div>
  );
}

function Stays({ id, name, own }: { id: string; name: string; own: boolean }) {
  const chat = useChat();
  const words = useWords('chat');
  const [isGone, setGone] = useState(() => wasPutAway(id));
  const [busy, setBusy] = useState(false);
  // Whoever pressed something here reads on with the messages.
  useEffect(() => {
    if (isGone) rescueFocus(null);
    return () => rescueFocus(null);
  }, [isGone]);
  if (isGone) return null;

  const allow = async (allowed: boolean): Promise<void> => {
    setBusy(true);
    const answer = await dataOf(
      client.characters[':id'].$patch({ param: { id: inPath(id) }, json: { nsfw_allowed: allowed } }),
    );
    setBusy(false);
    if (!answer.ok) {
      showToast({ text: words('spicyAllowFailed', { name }), kind: 'harm' });
      return;
    }
    // What the page knows of the character comes with the conversation.
    chat.hear({ type: 'changed', message_ids: [] });
    if (!allowed) return;
    showToast({
      text: words('spicyAllowed', { name }),
      action: { label: words('undo'), act: () => void allow(false) },
    });
  };
  const putAway = () => {
    try {
      sessionStorage.setItem(PUT_AWAY + id, '1');
    } catch {
      // Storage is closed: it comes back with the next page.
    }
    setGone(true);
  };
  return (
    <div role="note" className="flex items-start gap-2 text-sm">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 py-1">
        <p className="min-w-0 flex-1 basis-60 break-words">
          {words(own ? 'spicyStaysOwn' : 'spicyStays', { name })}
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
          <button type="button" className={SECONDARY} onClick={pressSwitch}>
            {words('spicyTurnOff')}
          </button>
        )}
      </div>
      <button type="button" className={ICON} aria-label={words('dismiss')} onClick={putAway}>
        <Icon name="close" />
      </button>
    </div>
  );
}
