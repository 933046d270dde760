{
  // The HTML has a message's helplines twice: pinned, and at the message for those who dismissed them on this device
  // (islands/chat/state/dismissed-help.ts). Hide one before the first paint; the island removes it.
  const pinned = document.querySelector('[data-help]');
  if (pinned) {
    const id = pinned.dataset.help;
    let isDismissed = false;
    try {
      isDismissed = localStorage.getItem(`help-dismissed:${id}`) !== null;
    } catch {
      // Storage is blocked.
    }
    const other = isDismissed ? pinned : document.querySelector(`[data-help-at="${id}"]`);
    if (other) other.hidden = true;
  }
  // A suggested reply of the character's page (`#say=…`). The composer keeps what it contains when the island starts.
  const text = new URLSearchParams(location.hash.slice(1)).get('say');
  const box = document.querySelector('textarea');
  if (text && box) {
    box.value = text;
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  const list = document.querySelector('[data-ends]');
  if (list) list.scrollTop = list.scrollHeight;
}
