/**
 * Applies the page's own rules for hover, focus and pressed to elements with `data-forced`: copies each rule that uses
 * such a pseudo-class with an attribute selector of the same specificity. No style is written twice.
 */
// A backslash before the colon belongs to a class name, such as `hover:underline`.
const PSEUDO_CLASSES = [
  [/(?<!\\):hover(?![-\w])/g, '[data-forced~="hover"]'],
  [/(?<!\\):focus(-visible)?(?![-\w])/g, '[data-forced~="focus"]'],
  [/(?<!\\):active(?![-\w])/g, '[data-forced~="pressed"]'],
] as const;
const INTERACTIVE_SELECTOR = /(?<!\\):(hover|focus|focus-visible|active)(?![-\w])/;

const getRulePrelude = (rule: CSSRule) => rule.cssText.slice(0, rule.cssText.indexOf('{'));

const forceStates = (text: string) =>
  PSEUDO_CLASSES.reduce((changed, [pseudo, attribute]) => changed.replace(pseudo, attribute), text);

/** The rules with a pseudo-class, inside their enclosing at-rules, with the attribute instead. */
function copyForcedRules(rules: CSSRuleList): string {
  return [...rules]
    .map((rule) => {
      if (rule instanceof CSSStyleRule && INTERACTIVE_SELECTOR.test(rule.selectorText))
        return forceStates(rule.cssText);
      if (!('cssRules' in rule)) return '';
      const inside = copyForcedRules(rule.cssRules as CSSRuleList);
      return inside === '' ? '' : `${getRulePrelude(rule)}{${inside}}`;
    })
    .join('\n');
}

const sheet = new CSSStyleSheet();
sheet.replaceSync([...document.styleSheets].map(({ cssRules }) => copyForcedRules(cssRules)).join('\n'));
document.adoptedStyleSheets.push(sheet);
document.documentElement.dataset['forced'] = '';
