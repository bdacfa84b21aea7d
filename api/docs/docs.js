// Shows the contract, and sends requests that are tried out with the token typed above. The token stays in the page.
'use strict';

const token = document.getElementById('token');
const state = document.getElementById('state');

document.getElementById('who').addEventListener('submit', (event) => event.preventDefault());
token.addEventListener('input', () => {
  state.textContent = token.value.trim() === '' ? 'none: asking as anybody' : 'sent with every request';
});

const nothing = () => () => null;

SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#contract',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: false,
  defaultModelsExpandDepth: 0,
  // The token above takes the place of the forms for OAuth, which this server has no use for.
  plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
  requestInterceptor: (request) => {
    const value = token.value.trim();
    if (value !== '' && !request.loadSpec) {
      request.headers.Authorization = 'Bearer ' + value;
    }
    return request;
  },
});
