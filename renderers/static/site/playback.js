"use strict";
{
  const button = document.querySelector(".playback");
  const { src, play, pause } = button.dataset;
  const picture = document.querySelector(".hero > .backdrop");
  const video = Object.assign(document.createElement("video"), {
    className: "backdrop",
    preload: "none",
    poster: picture.src,
    muted: true,
    loop: true,
    playsInline: true,
    src,
  });
  const tell = () => (button.textContent = video.paused ? play : pause);
  const start = () => {
    picture.replaceWith(video);
    video.play().catch(tell);
  };
  video.addEventListener("play", tell);
  video.addEventListener("pause", tell);
  button.addEventListener("click", () => (video.paused ? start() : video.pause()));
  button.hidden = false;
  tell();
  if (!navigator.connection?.saveData && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    addEventListener("load", start);
  }
}
