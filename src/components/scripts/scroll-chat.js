{
  // Helplines that were dismissed on this device; the island removes them (islands/chat/messages/dismissed-help.ts).
  const help = document.querySelector('[data-help]');
  try {
    if (help && localStorage.getItem(`help-dismissed:${help.dataset.help}`)) help.hidden = true;
  } catch {
    // Storage is blocked.
  }
  const list = document.querySelector('[data-ends]');
  if (list) list.scrollTop = list.scrollHeight;
}
