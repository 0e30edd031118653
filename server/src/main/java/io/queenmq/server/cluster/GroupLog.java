package io.queenmq.server.cluster;

import org.jgroups.logging.CustomLogFactory;
import org.jgroups.logging.Log;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log lines of JGroups to the log of this server at level debug. Joining, leaving and silent members are normal
 * events. This server itself logs the events that an operator needs.
 */
final class GroupLog implements CustomLogFactory {
    @Override
    public Log getLog(Class<?> type) {
        return new Details(LoggerFactory.getLogger(type));
    }

    @Override
    public Log getLog(String category) {
        return new Details(LoggerFactory.getLogger(category));
    }

    private record Details(Logger log) implements Log {
        private void debug(String level, String text, @Nullable Throwable cause) {
            if (log.isDebugEnabled()) {
                log.debug("{}: {}", level, text, cause);
            }
        }

        private void format(String level, String format, Object... values) {
            if (log.isDebugEnabled()) {
                log.debug("{}: {}", level, values.length == 0 ? format : String.format(format, values));
            }
        }

        @Override
        public boolean isFatalEnabled() {
            return log.isDebugEnabled();
        }

        @Override
        public boolean isErrorEnabled() {
            return log.isDebugEnabled();
        }

        @Override
        public boolean isWarnEnabled() {
            return log.isDebugEnabled();
        }

        @Override
        public boolean isInfoEnabled() {
            return log.isDebugEnabled();
        }

        @Override
        public boolean isDebugEnabled() {
            return log.isTraceEnabled();
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public void fatal(String text) {
            format("fatal", text);
        }

        @Override
        public void fatal(String format, Object... values) {
            format("fatal", format, values);
        }

        @Override
        public void fatal(String text, Throwable cause) {
            debug("fatal", text, cause);
        }

        @Override
        public void error(String text) {
            format("error", text);
        }

        @Override
        public void error(String format, Object... values) {
            format("error", format, values);
        }

        @Override
        public void error(String text, Throwable cause) {
            debug("error", text, cause);
        }

        @Override
        public void warn(String text) {
            format("warning", text);
        }

        @Override
        public void warn(String format, Object... values) {
            format("warning", format, values);
        }

        @Override
        public void warn(String text, Throwable cause) {
            debug("warning", text, cause);
        }

        @Override
        public void info(String text) {
            format("info", text);
        }

        @Override
        public void info(String format, Object... values) {
            format("info", format, values);
        }

        @Override
        public void debug(String text) {
            log.trace(text);
        }

        @Override
        public void debug(String format, Object... values) {
            if (log.isTraceEnabled()) {
                log.trace(String.format(format, values));
            }
        }

        @Override
        public void debug(String text, Throwable cause) {
            log.trace(text, cause);
        }

        @Override
        public void trace(Object object) {}

        @Override
        public void trace(String text) {}

        @Override
        public void trace(String format, Object... values) {}

        @Override
        public void trace(String text, Throwable cause) {}

        @Override
        public void setLevel(String level) {}

        @Override
        public String getLevel() {
            return "debug";
        }
    }
}
