// @ts-check
// A box beside a password shows what is typed. Without this module there is none.

for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[data-reveal]'))) {
  const label = document.createElement('label');
  label.className = 'tick reveal';
  const box = label.appendChild(document.createElement('input'));
  box.type = 'checkbox';
  label.append(` ${input.dataset.reveal ?? ''}`);
  box.addEventListener('change', () => { input.type = box.checked ? 'text' : 'password'; });
  input.form?.addEventListener('submit', () => { input.type = 'password'; }); // as browsers know it when they keep it
  input.after(label);
}

export {};
