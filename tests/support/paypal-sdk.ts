/**
 * A mock of PayPal's page script: a button in an iframe, as PayPal has, with the questions of PayPal's window in the same
 * iframe. Tests find by role and name, in the frame titled «PayPal»: the button «PayPal» (with «Pay Later» and «Card»
 * unless the page disabled them), then «Agree and subscribe», «Cancel and return», and «Fail», which acts like an error of
 * PayPal. A script that does not load is simulated in the test's browser or by an unknown client id.
 */

const FUNDINGS = { paypal: 'PayPal', paylater: 'Pay Later', card: 'Card' } as const;

/** The error in how a page requests the script; null if there is none. */
export function validateSdkRequest(asked: URLSearchParams, clientId: string): string | null {
  if (asked.get('client-id') !== clientId) return 'client-id not recognized';
  if (asked.get('intent') === 'subscription' && asked.get('vault') !== 'true')
    return 'intent=subscription needs vault=true';
  return /^[A-Z]{3}$/.test(asked.get('currency') ?? 'USD') ? null : 'Invalid query value for currency';
}

/** The script that the page loads. */
export function buildSdkScript(base: string, asked: URLSearchParams): string {
  const off = (asked.get('disable-funding') ?? '').split(',');
  const fundings = Object.keys(FUNDINGS).filter((name) => !off.includes(name));
  return `(() => {
  const BASE = ${JSON.stringify(base)};
  const nonce = document.currentScript?.dataset.cspNonce;
  const style = document.createElement('style');
  if (nonce) style.nonce = nonce;
  style.textContent = '.paypal-buttons { inline-size: 100%; border: 0; }';
  document.head.append(style);
  void fetch(BASE + '/xoplatform/logger/api/logger', { method: 'POST', mode: 'no-cors', body: '{}' }).catch(() => {});

  function Buttons(options = {}) {
    const wanted = options.fundingSource ? [options.fundingSource] : ${JSON.stringify(fundings)};
    let frame = null;
    let listens = null;
    const asks = new Map();
    const ask = (what, told) =>
      new Promise((resolve, reject) => {
        const number = asks.size + 1;
        asks.set(number, { resolve, reject });
        frame.contentWindow.postMessage({ number, what, told }, BASE);
      });
    const actions = {
      subscription: {
        create: async (body) => (await ask('create', body)).id,
        get: async () => ({}),
      },
    };
    const failed = (error) => (options.onError ? options.onError(error) : console.error(error));
    async function clicked(data) {
      options.onClick?.(data, {});
      try {
        const id = await options.createSubscription(data, actions);
        if (typeof id !== 'string' || !id.startsWith('I-')) throw new Error('Expected a subscription id to be passed');
        const answer = await ask('agree', { id });
        if (answer.what === 'cancel') return options.onCancel?.({ subscriptionID: id }, {});
        if (answer.what === 'fail') throw new Error('Window closed before response');
        await options.onApprove({ subscriptionID: id, orderID: null, facilitatorAccessToken: 'A21' }, actions);
      } catch (error) {
        failed(error);
      }
    }
    return {
      isEligible: () => wanted.every((name) => ${JSON.stringify(Object.keys(FUNDINGS))}.includes(name)),
      render(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target;
        if (!place) return Promise.reject(new Error('Document is ready and element does not exist'));
        frame = document.createElement('iframe');
        frame.title = 'PayPal';
        frame.className = 'paypal-buttons';
        frame.height = '160';
        frame.src = BASE + '/sdk/buttons?fundings=' + wanted.join(',');
        listens = ({ origin, source, data }) => {
          if (origin !== BASE || source !== frame.contentWindow) return;
          if (data.what === 'clicked') return void clicked({ fundingSource: data.funding });
          const asked = asks.get(data.number);
          if (data.error) asked?.reject(new Error(data.error));
          else asked?.resolve(data.told);
        };
        addEventListener('message', listens);
        return new Promise((resolve) => {
          frame.addEventListener('load', () => {
            options.onInit?.({}, {});
            resolve();
          });
          place.append(frame);
        });
      },
      async close() {
        removeEventListener('message', listens);
        frame?.remove();
      },
    };
  }
  window.paypal = { version: '5.0.0', FUNDING: { PAYPAL: 'paypal', CARD: 'card', PAYLATER: 'paylater' }, Buttons };
})();
`;
}

/** The page in the iframe: the buttons, and PayPal's questions after a click. */
export function renderSdkButtons(asked: URLSearchParams): string {
  const names = (asked.get('fundings') ?? '')
    .split(',')
    .filter((name): name is keyof typeof FUNDINGS => Object.hasOwn(FUNDINGS, name));
  const buttons = names.map(
    (name) => `<button type="button" data-funding="${name}">${FUNDINGS[name]}</button>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>PayPal</title>
<body><div id="buttons">${buttons.join('')}</div>
<script>
  const buttons = document.getElementById('buttons');
  const send = (message) => parent.postMessage(message, '*');
  for (const button of buttons.children)
    button.addEventListener('click', () => send({ what: 'clicked', funding: button.dataset.funding }));
  const post = async (path, told) => {
    const answer = await fetch(path, { method: 'POST', body: JSON.stringify(told) });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.name ?? 'refused');
    return body;
  };
  const answers = {
    create: (told) => post('/sdk/subscriptions', told),
    agree: ({ id }) =>
      new Promise((resolve, reject) => {
        const choices = document.createElement('div');
        const choice = (text, chosen) => {
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = text;
          button.addEventListener('click', () => {
            choices.remove();
            buttons.hidden = false;
            Promise.resolve(chosen()).then(resolve, reject);
          });
          choices.append(button);
        };
        choice('Agree and subscribe', () => post('/sdk/subscriptions/' + id + '/approve', {}));
        choice('Cancel and return', () => ({ what: 'cancel' }));
        choice('Fail', () => ({ what: 'fail' }));
        buttons.hidden = true;
        document.body.append(choices);
      }),
  };
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || !Object.hasOwn(answers, data.what)) return;
    try {
      send({ number: data.number, told: await answers[data.what](data.told) });
    } catch (error) {
      send({ number: data.number, error: error.message });
    }
  });
</script></body></html>
`;
}
