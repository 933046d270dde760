{
  // The page is the same for all visitors; the sidebar lists the chats of this device's user (layouts/sidebar-boot.js).
  const chats = document.querySelector('[data-history-list]');
  const nameButton = () => {
    const button = document.querySelector('[data-continue]');
    if (!button) return;
    button.dataset.start ??= button.textContent;
    const isListed = chats.querySelector(`a[href^="${button.pathname}?"]`);
    button.textContent = isListed ? button.dataset.continue : button.dataset.start;
  };
  nameButton();
  new MutationObserver(nameButton).observe(chats, { childList: true });
  document.addEventListener('loreloom:drawn', nameButton);
}
